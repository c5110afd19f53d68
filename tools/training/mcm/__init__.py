"""Data and training for the network MCM: self-play into shards, learning, and scores; docs/design/networks.md says how."""
