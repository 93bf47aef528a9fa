package ui

// keyList names the one-key commands in the order of the help dialog; keys.js implements them.
var keyList = []string{"j k", "enter", "esc", "c", "o", "m", "1 2 3 4", "n", "x", "shift_down shift_up", "u", "f", "slash",
	"g s", "g n", "question"}

var keyNames = map[string]string{
	"j": "j", "k": "k", "enter": "Enter", "esc": "Esc", "c": "c", "o": "o", "m": "m", "1": "1", "2": "2", "3": "3", "4": "4",
	"n": "n", "x": "x", "shift_down": "Shift ↓", "shift_up": "Shift ↑", "u": "u", "f": "f", "slash": "/",
	"g": "g", "s": "s", "question": "?",
}

// keySequences are the commands whose keys are pressed one after the other; for other commands with two keys, either
// key works.
var keySequences = map[string]bool{"g s": true, "g n": true}

// shortID is the start of a request id: enough to find it in the log.
func shortID(id string) string {
	if len(id) > 13 {
		return id[:13]
	}
	return id
}

// Hundredths converts a figure from 0 to 1 to hundredths, clamped to that range.
func Hundredths(v float64) int { return min(max(int(v*100+0.5), 0), 100) }
