"""What the trainings on shards of records share: processes, files, the loop that learns, its log and its command."""
