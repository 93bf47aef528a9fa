package importers

import (
	"bytes"

	"sanad/internal/domain"
)

// Batch is the outcome of importing a file with several sessions.
type Batch struct {
	Results []*Result
	Refused []*domain.Error // rows that were refused; Path is the place of the row, or of the fault in it
}

// ReadAll reads one file with one or several sessions: evaluation rows, traces, and our own sessions as JSONL or a list
// (rule F-5). A bad row is refused without affecting the others; the error is for files without a single good row.
// ReadEach does the same without holding the whole file in memory.
func ReadAll(data []byte, opt Options) (*Batch, error) {
	b := &Batch{}
	err := ReadEach(bytes.NewReader(data), int64(len(data)), opt, func(r *Result, refused *domain.Error) error {
		if refused != nil {
			b.Refused = append(b.Refused, refused)
		} else {
			b.Results = append(b.Results, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.whole()
}

// whole returns the batch, or an error if no row could be imported.
func (b *Batch) whole() (*Batch, error) {
	if len(b.Results) > 0 {
		return b, nil
	}
	first := *b.Refused[0]
	if n := len(b.Refused) - 1; n > 0 {
		first.Message = domain.Message{ID: "refused_other_rows", Args: []any{"Fault", first.Message, "N", n}}
	}
	return nil, &first
}
