package isolated

// WithOneSlot returns processes of which one runs at a time.
func WithOneSlot(command []string) *Processes {
	p := New(command)
	p.slots = newSlots(1)
	return p
}

// Waiting returns how many callers of Acquire wait.
func (p *Processes) Waiting() int {
	p.slots.mu.Lock()
	defer p.slots.mu.Unlock()
	return len(p.slots.waiting)
}
