package ui

// Fact is a named value.
type Fact struct {
	Name, Value string
	Mono        bool
}
