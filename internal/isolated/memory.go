//go:build !race

package isolated

// mapped limits the memory that a process may map, in bytes.
const mapped = memory
