package importers

import (
	"errors"
	"io"
)

// RowLines finds the lines, from 1, at which rows of a file begin: places has the rows asked for ("[3]") as keys, and
// gets their lines as values. Nothing is set for a file that does not consist of rows. Like ReadEach it holds one row
// in memory.
func RowLines(file io.ReaderAt, size int64, places map[string]int) error {
	rows := &fileRows{file: file, size: size}
	err := rows.each(func(r row) error {
		if _, wanted := places[r.path]; wanted {
			places[r.path] = r.line
		}
		return nil
	})
	if errors.Is(err, errNoRows) {
		return nil
	}
	return err
}
