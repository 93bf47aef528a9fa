package live

import (
	"sanad/internal/domain"
	"sanad/internal/words"
)

// mostNoted is how many faults of a decision a note names.
const mostNoted = 10

// NoteOf returns the note of a trace that is refused for these faults.
func NoteOf(faults []*domain.Error) domain.Message {
	var all words.Sentences
	for _, f := range faults[:min(len(faults), mostNoted)] {
		m := f.Message
		if f.Path != "" {
			m = words.Msg("note_at", "Path", f.Path, "Fault", m)
		}
		all = append(all, m)
	}
	if more := len(faults) - mostNoted; more > 0 {
		all = append(all, words.Msg("note_more", "N", more))
	}
	return words.Msg("sentences", "All", all)
}
