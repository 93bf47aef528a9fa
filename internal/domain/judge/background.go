package judge

import (
	"strings"
	"sync"
)

// background holds the stems that are common in ordinary text, one class a line of background.txt, the most common
// first.
type background struct {
	class   map[string]int // of each stem, 0 for the most common
	classes int
}

var readBackground = sync.OnceValue(func() *background {
	lines := lexiconLines("background.txt")
	out := &background{class: map[string]int{}, classes: len(lines)}
	for i, line := range lines {
		for _, stem := range strings.Fields(line) {
			out.class[stem] = i
		}
	}
	return out
})

// commonness is how rare a stem is in ordinary text, from 0 to 1 for one that is not in the table.
func commonness(stem string) float64 {
	return float64(rarityClass(stem)) / float64(readBackground().classes)
}

// rarityClass is the class of a stem in ordinary text, 0 for the most common; one that is not in the table is in the
// class behind the last.
func rarityClass(stem string) int {
	b := readBackground()
	if class, ok := b.class[stem]; ok {
		return class
	}
	return b.classes
}
