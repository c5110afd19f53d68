"""Fitting and scoring models of the hidden hands on recorded games."""
