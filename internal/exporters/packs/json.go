package packs

import "io"

// JSON writes a signed pack as {"dsse":…,"pack":…}. Both values are copied byte for byte as stored, so that the
// digest of pack is the pack digest (rule P-18). Both are RFC 8785 JSON, and so is the file.
func JSON(w io.Writer, packJSON, dsse []byte) error {
	file := make([]byte, 0, len(packJSON)+len(dsse)+20)
	file = append(file, `{"dsse":`...)
	file = append(file, dsse...)
	file = append(file, `,"pack":`...)
	file = append(file, packJSON...)
	file = append(file, '}')
	_, err := w.Write(file)
	return err
}
