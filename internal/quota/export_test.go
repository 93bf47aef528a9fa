package quota

// People returns how many people a pool remembers.
func People(p *Pool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.people)
}
