"""The trainings of the networks."""
