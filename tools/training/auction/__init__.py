"""The auction: deals that were played with every landlord, and the network that learns bids from them."""
