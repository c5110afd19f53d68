"""Tests of somebody's own rules of Dou Dizhu, in any language."""
