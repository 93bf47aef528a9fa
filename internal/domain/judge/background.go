package judge

import "strings"

// commonClass holds the stems that are common in ordinary text, one class a line of background.txt, the most common
// first.
var commonClass, commonClasses = readBackground()

// readBackground returns the class of each stem, 0 for the most common, and how many classes there are.
func readBackground() (map[string]int, int) {
	out := map[string]int{}
	lines := lexiconLines("background.txt")
	for i, line := range lines {
		for _, stem := range strings.Fields(line) {
			out[stem] = i
		}
	}
	return out, len(lines)
}

// commonness is how rare a stem is in ordinary text, from 0 to 1 for one that is not in the table.
func commonness(stem string) float64 {
	class, ok := commonClass[stem]
	if !ok {
		return 1
	}
	return float64(class) / float64(commonClasses)
}
