"""Crashes before it reads anything: RE."""

raise RuntimeError("no weights")
