package ocr

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io"
	"strconv"

	"sanad/internal/isolated"
)

// reply is the output of the process that prepares a picture.
type reply struct {
	Picture []byte // nil if there is no such page
	Broken  bool
	Large   bool
	Page    int
	Cause   isolated.Told
}

// serve prepares a page of a picture and writes a reply.
func serve(out io.Writer, data []byte, page string) error {
	n, err := strconv.Atoi(page)
	if err != nil || n < 1 {
		return errors.New("no number of a page")
	}
	var a reply
	if a.Picture, err = Prepare(data, n); err != nil {
		var f *isolated.Fault
		if !errors.As(err, &f) {
			return err
		}
		a.Broken, a.Large, a.Page, a.Cause = errors.Is(f.Kind, ErrBroken), errors.Is(f.Kind, ErrTooLarge), f.Page, f.Told()
	}
	return gob.NewEncoder(out).Encode(a)
}

// prepared returns the picture of a reply.
func prepared(out []byte) ([]byte, error) {
	var a reply
	err := gob.NewDecoder(bytes.NewReader(out)).Decode(&a)
	switch {
	case err != nil:
		return nil, &isolated.Fault{Kind: ErrGaveUp, Cause: err}
	case a.Large:
		return nil, &isolated.Fault{Kind: ErrTooLarge, Page: a.Page, Cause: a.Cause.Cause()}
	case a.Broken:
		return nil, &isolated.Fault{Kind: ErrBroken, Page: a.Page, Cause: a.Cause.Cause()}
	}
	return a.Picture, nil
}
