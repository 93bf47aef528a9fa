package app

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"

	"sanad/internal/importers"
)

// EncodeForm encodes a form with its documents as the input of a job of kind job.Form.
func EncodeForm(form importers.Form) ([]byte, error) {
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(form); err != nil {
		return nil, fmt.Errorf("write a form for its job: %w", err)
	}
	return data.Bytes(), nil
}

// decodeForm reads what EncodeForm wrote.
func decodeForm(r io.Reader) (form importers.Form, err error) {
	err = gob.NewDecoder(r).Decode(&form)
	return form, err
}
