"""What stays at home: judge, arena, training, packing and viewers; never imported by ddzbot."""
