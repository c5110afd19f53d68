"""What several tools share; nothing here imports a tool."""
