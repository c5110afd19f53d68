"""Data and training for the network MCM: self-play into shards, learning, scores; docs/design/networks.md says how."""
