package importers

import (
	"cmp"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/recode"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// window is how many bytes of a file are read at a time; a longer row is read whole.
const window = 256 << 10

// ReadEach reads a file with one or several sessions: evaluation rows, traces, and our own sessions as JSONL or a list
// (rule F-5). It passes each to take as soon as it is read: its result, or why its row was refused. It holds one row of
// a file of rows in memory, whatever the file's size. A file that is one session, or in which several rows form a
// session (spans, messages, documents), is held whole, once, unless it is a large session of our own format (see
// inParts). The file is scanned before take is called, so that nothing is taken from a file whose JSON is broken,
// unless Options.Lines asks for what can be read. An error of take ends the reading and is returned. The file must not
// change meanwhile.
func ReadEach(file io.ReaderAt, size int64, opt Options, take func(*Result, *domain.Error) error) error {
	opt = opt.withDefaults()
	if err := checkSize(int(size), opt.Bytes); err != nil {
		return err
	}
	file, size, err := recode.File(file, size)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, Count(io.NewSectionReader(file, 0, size), opt.Bytes)); err != nil {
		return err
	}
	if size >= opt.large {
		if r, ok := inParts(io.NewSectionReader(file, 0, size), size, opt); ok {
			return taken(r, take)
		}
	}
	rows := &fileRows{file: file, size: size}
	kind, f, err := rows.survey()
	switch {
	case err != nil:
		return err
	case kind == ownRows:
		return rows.each(func(r row) error {
			got, err := readOwnRow(r, opt)
			return given(got.of(r.path), err, take)
		})
	case kind == foreignRows:
		return f.sessions(rows, opt, take)
	}
	src, err := rows.whole()
	if err != nil {
		return err
	}
	format, err := detect(src)
	if err != nil && opt.Lines {
		if done, fault := eachLine(src, opt, take); done {
			return fault
		}
	}
	if err != nil {
		return err
	}
	if format != "" {
		got, err := readText(src, opt)
		if err != nil {
			return err
		}
		return take(got, nil)
	}
	list, err := heldRows(src)
	if err != nil {
		return err
	}
	if f, err = tell(fieldsOf(list)); err != nil {
		return err
	}
	return f.sessions(list, opt, take)
}

// taken passes a session that was read in parts to take.
func taken(r *Result, take func(*Result, *domain.Error) error) (err error) {
	defer func() { err = errors.Join(err, r.Close()) }()
	defer Recovered(&err)
	return take(r, nil)
}

// of notes the row of a session, and makes its warnings name the row unless they do already.
func (r *Result) of(row string) *Result {
	if r == nil {
		return nil
	}
	r.Row = row
	for i, w := range r.Warnings {
		if !strings.HasPrefix(w.Path, "[") && (row == "" || !strings.HasPrefix(w.Path, row)) {
			r.Warnings[i].Path = joined(row, w.Path)
		}
	}
	return r
}

// given passes the outcome of a row to take. It returns errors that do not concern the row.
func given(r *Result, err error, take func(*Result, *domain.Error) error) error {
	if err == nil {
		return take(r, nil)
	}
	var ours *domain.Error
	if !errors.As(err, &ours) {
		return err
	}
	return take(nil, ours)
}

// sessions reads the rows of a provider's file session by session.
func (f *foreign) sessions(rows rowSource, opt Options, take func(*Result, *domain.Error) error) error {
	some := false
	err := f.read(rows, func(d *draft) error {
		some = true
		r, err := newBuilder(opt).drafted(d, f.name)
		return given(r.of(d.path), err, take)
	})
	if err == nil && !some {
		return f.none()
	}
	return err
}

func (f *foreign) none() error {
	return domain.Refuse(domain.Invalid, "", "refused_in_no_session", "Words", words.Msg(f.noun))
}

// fileRows are the rows of a file, read again each time.
type fileRows struct {
	file   io.ReaderAt
	size   int64
	window int // bytes read at a time; 0 for the constant
}

// errNoRows says that a file does not consist of rows; reading it as a whole then finds what is wrong with it.
var errNoRows = errors.New("the file is not made of rows")

// The kinds of a file, as its rows show.
const (
	oneWhole = iota // one session, or a file to be read whole to find what is wrong with it
	ownRows
	foreignRows
)

// survey scans the file and returns what kind of rows it has.
func (f *fileRows) survey() (kind int, format *foreign, err error) {
	n, ours, plain := 0, false, true
	fields := fieldSet{}
	err = f.each(func(r row) error {
		if n++; n == 1 {
			ours = r.ours()
			plain = !strings.HasPrefix(r.src, "{") || !r.states()
		}
		if n <= shapeItems {
			r.fields(fields)
		}
		return nil
	})
	switch {
	case errors.Is(err, errNoRows):
		return oneWhole, nil, nil
	case err != nil:
		return oneWhole, nil, err
	case n > 1 && ours:
		return ownRows, nil, nil
	case n < 2 || !plain:
		return oneWhole, nil, nil
	}
	if format, err = tell(fields); err != nil {
		return oneWhole, nil, nil //nolint:nilerr // reading the whole reports it, or an earlier fault
	}
	return foreignRows, format, nil
}

// whole returns the file as one text.
func (f *fileRows) whole() (string, error) {
	var b strings.Builder
	b.Grow(int(f.size))
	if _, err := io.Copy(&b, io.NewSectionReader(f.file, 0, f.size)); err != nil {
		return "", err
	}
	return strings.TrimPrefix(b.String(), "\ufeff"), nil
}

// each passes on the rows as rowsOf returns them; errNoRows if none.
func (f *fileRows) each(do func(row) error) error {
	c := &cursor{from: io.NewSectionReader(f.file, 0, f.size), window: cmp.Or(f.window, window)}
	if err := c.begin(); err != nil {
		return err
	}
	for {
		r, err := c.next()
		if err != nil || r.src == "" {
			return err
		}
		if err := do(r); err != nil {
			return err
		}
	}
}

// cursor is a position in a file, with the part in memory.
type cursor struct {
	from   io.Reader
	window int
	held   string // part of the file in memory
	done   int    // bytes of held already processed
	all    bool   // held extends to the end of the file
	list   bool   // the rows are the items of a list
	n      int    // rows so far
	line   int    // line feeds before done
}

// fill drops the processed bytes and at least doubles the rest, so that a long row is not parsed too often.
func (c *cursor) fill() error {
	c.held, c.done = c.held[c.done:], 0
	var b strings.Builder
	b.Grow(len(c.held) + max(c.window, len(c.held)))
	b.WriteString(c.held)
	want := int64(max(c.window, len(c.held)))
	n, err := io.CopyN(&b, c.from, want)
	c.held, c.all = b.String(), n < want
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// begin detects whether the rows are the items of a list.
func (c *cursor) begin() error {
	if err := c.fill(); err != nil {
		return err
	}
	c.held = strings.TrimPrefix(c.held, "\ufeff")
	in := strictjson.NewLooseCursor(c.held, 0)
	if in.Take('[') {
		c.list, c.done = true, in.Pos()
		c.line = strings.Count(c.held[:c.done], "\n")
		return nil
	}
	if in.Peek() == '{' {
		return nil
	}
	return errNoRows
}

// next returns the next row, an empty one after the last.
func (c *cursor) next() (row, error) {
	for {
		in := strictjson.NewLooseCursor(c.held, c.done)
		src, err := c.pass(in)
		if !c.all && (err != nil || in.Pos()+utf8.UTFMax > len(c.held)) { // perhaps only cut off by the window
			if err := c.fill(); err != nil {
				return row{}, err
			}
			continue
		}
		if err != nil || src == "" {
			return row{}, err
		}
		begins := in.Pos() - len(src)
		c.line += strings.Count(c.held[c.done:begins], "\n")
		r := row{src: src, path: at("", c.n, ""), line: c.line + 1}
		c.line += strings.Count(src, "\n")
		c.done = in.Pos()
		c.n++
		return r, nil
	}
}

// pass skips the next row and returns it, "" after the last.
func (c *cursor) pass(in *strictjson.Cursor) (src string, err error) {
	if c.list && in.Take(']') {
		if !in.End() {
			return "", errNoRows
		}
		return "", nil
	}
	if !c.list && in.End() {
		return "", nil
	}
	if c.list && c.n > 0 && !in.Take(',') {
		return "", errNoRows
	}
	if src, err = in.Value(); err != nil {
		return "", errNoRows
	}
	return src, nil
}

// states reports whether a row names its own format, as ours do.
func (r row) states() bool {
	h, err := readHeading(r.src)
	return err == nil && len(h.has) > 0
}

// ours reports whether a row is in one of our own formats.
func (r row) ours() bool {
	format, err := detect(r.src)
	return err == nil && format != ""
}

// readOwnRow reads a row of our own formats; paths are relative to the row.
func readOwnRow(r row, opt Options) (*Result, error) {
	got, err := readText(r.src, opt)
	if err != nil {
		return nil, under(r.path, err)
	}
	for i := range got.Warnings {
		got.Warnings[i].Path = joined(r.path, got.Warnings[i].Path)
	}
	return got, nil
}
