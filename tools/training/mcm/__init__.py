"""Data and training for the network MCM: self-play into shards, learning, scores; docs/design/mcm.md says how."""
