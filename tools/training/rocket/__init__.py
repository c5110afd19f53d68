"""Data and training for the networks of DeepRocket: games of a teacher, learning, scores; docs/lab/learners.md."""
