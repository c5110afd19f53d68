"""What is built, packed and uploaded: the kernel, the zip file, the weights."""
