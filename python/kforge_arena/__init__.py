"""The Python half of KForge's arena: what PyTorch forces to be Python, and nothing else."""
