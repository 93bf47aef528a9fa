package importers

import (
	"bytes"
	"fmt"

	"sanad/internal/domain"
)

// Batch is what a file with several sessions gives.
type Batch struct {
	Results []*Result
	Refused []*domain.Error // rows that were not taken: Path is the place of the row or of the fault in it
}

// ReadAll reads one file with one or several sessions: evaluation rows, traces, and our own sessions as JSONL or a list
// (spec page 5 "Interchange formats"). A row that cannot be taken is refused alone; the error is for files of which
// nothing can be.
func ReadAll(data []byte, opt Options) (*Batch, error) {
	opt = opt.withDefaults()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := checkSize(data, opt.Bytes); err != nil {
		return nil, err
	}
	src := string(data)
	if rows := rowsOf(src); len(rows) > 1 && rows[0].ours() {
		return readRows(rows, opt)
	}
	format, err := detect(src)
	if err != nil {
		return nil, err
	}
	if format != "" {
		r, err := Read(data, opt)
		if err != nil {
			return nil, err
		}
		return &Batch{Results: []*Result{r}}, nil
	}
	f, list, err := drafts(src)
	if err != nil {
		return nil, err
	}
	b := &Batch{}
	for _, d := range list {
		r, err := newBuilder(opt).drafted(d, f.name)
		if err := b.add(r, err); err != nil {
			return nil, err
		}
	}
	return b.whole(f.noun)
}

// ours tells a row of our own formats.
func (r row) ours() bool {
	format, err := detect(r.src)
	return err == nil && format != ""
}

// readRows reads our own sessions one by one.
func readRows(rows []row, opt Options) (*Batch, error) {
	b := &Batch{}
	for _, row := range rows {
		r, err := Read([]byte(row.src), opt)
		if err == nil {
			for i := range r.Warnings {
				r.Warnings[i].Path = joined(row.path, r.Warnings[i].Path)
			}
		}
		if err := b.add(r, under(row.path, err)); err != nil {
			return nil, err
		}
	}
	return b.whole("sessions")
}

// add takes what came of a row; an error that is none of the row's is given back.
func (b *Batch) add(r *Result, err error) error {
	if err == nil {
		b.Results = append(b.Results, r)
		return nil
	}
	e, ok := err.(*domain.Error)
	if !ok {
		return err
	}
	b.Refused = append(b.Refused, e)
	return nil
}

// whole closes a batch; noun says what its file holds.
func (b *Batch) whole(noun string) (*Batch, error) {
	if len(b.Results) > 0 {
		return b, nil
	}
	if len(b.Refused) == 0 {
		return nil, domain.Invalidf("", "This file of %s holds no session.", noun)
	}
	first := *b.Refused[0]
	if n := len(b.Refused) - 1; n > 0 {
		first.Msg += fmt.Sprintf(" (%s other rows were not taken either.)", grouped(n))
	}
	return nil, &first
}
