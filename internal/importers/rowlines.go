package importers

import (
	"errors"
	"io"
)

// RowLines finds the lines, from 1, at which rows of a file begin: places has the rows asked for ("[3]") as keys, and
// gets their lines as values. Nothing is set for a file that does not consist of rows. Like ReadEach it holds one row
// in memory, or all of JSONL that has broken lines.
func RowLines(file io.ReaderAt, size int64, places map[string]int) error {
	rows := &fileRows{file: file, size: size}
	set := func(r row) {
		if _, wanted := places[r.path]; wanted {
			places[r.path] = r.line
		}
	}
	err := rows.each(func(r row) error {
		set(r)
		return nil
	})
	if !errors.Is(err, errNoRows) {
		return err
	}
	src, err := rows.whole()
	if err != nil {
		return err
	}
	good, broken, ok := linesOf(src)
	if !ok {
		return nil
	}
	for _, r := range good {
		set(r)
	}
	for _, b := range broken {
		set(b.row)
	}
	return nil
}
