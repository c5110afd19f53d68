"""Networks: the file format of their weights, what they are shown, and inference without torch."""
