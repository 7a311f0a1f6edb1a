// Never gets past its first line.
while (true) {}
