//go:build race

package isolated

// mapped leaves room for what the race detector maps beside the memory of the program, some times as much.
const mapped = 4 * memory
