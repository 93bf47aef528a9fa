package ocr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/isolated"
)

// The first arguments of the processes that read pictures. To Rendering and Words the path of a program follows, and
// what it is to read: the number of a page, the languages; to Preparing the number of a page.
const (
	Rendering = "page"    // is replaced by pdftoppm: a page of a PDF becomes a picture
	Preparing = "picture" // runs Prepare
	Words     = "words"   // is replaced by tesseract: a picture becomes words
)

// languages are those that are read, by tesseract's names, in the order in which it tries them.
var languages = []string{"ara", "eng"}

// AllLanguages are the Languages of a reader that lacks none.
const AllLanguages = "ara+eng"

// soonPages is how many pages are read while somebody waits; each takes some seconds. A job has more time.
const soonPages = 2

// Isolated reads pictures, each program in a process of its own (package isolated).
type Isolated struct {
	*isolated.Processes
	Tesseract string // its path
	PDFToPPM  string // likewise, "" if only pictures are read
	Languages string // those of languages that are installed, joined by +
	Version   string // of tesseract

	most int // how many pages are read, otherwise a job has to
}

// NewIsolated returns a reader that runs in p, whose command ends by calling Serve. It looks up the programs in PATH
// once. Without tesseract, or the data of one of its languages, it returns an error of the kind ErrMissing.
func NewIsolated(ctx context.Context, p *isolated.Processes) (*Isolated, error) {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	r := &Isolated{Processes: p, Tesseract: path, most: MaxPages}
	if r.PDFToPPM, err = exec.LookPath("pdftoppm"); err != nil {
		r.PDFToPPM = ""
	}
	said, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s --version: %w", ErrMissing, path, err)
	}
	if f := strings.Fields(string(said)); len(f) > 1 && f[0] == "tesseract" {
		r.Version = strings.TrimPrefix(f[1], "v")
	}
	list, err := exec.CommandContext(ctx, path, "--list-langs").Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s --list-langs: %w", ErrMissing, path, err)
	}
	installed := strings.Fields(string(list))
	has := slices.DeleteFunc(slices.Clone(languages), func(l string) bool { return !slices.Contains(installed, l) })
	if r.Languages = strings.Join(has, "+"); r.Version == "" || r.Languages == "" {
		return nil, fmt.Errorf("%w: %s has version %q and the languages %q", ErrMissing, path, r.Version, r.Languages)
	}
	return r, nil
}

// Name is the reader as it is stored with a document.
func (r *Isolated) Name() string { return "tesseract " + r.Version + " (" + r.Languages + ")" }

// Soon returns the reader with the limits of a waiting request.
func (r *Isolated) Soon() *Isolated {
	s := *r
	s.Processes, s.most = r.Processes.Soon(), soonPages
	return &s
}

// Read reads pages of a PDF, given by their numbers from 1, or all pages of a picture if pages is nil. A page that
// cannot be read is Unread; of a picture that is an error, if it is the first page. Beyond MaxPages none is read.
// Errors are *isolated.Fault: ErrGaveUp also if a waiting request asks for more pages than can be read soon. Other
// errors are that of ctx and internal ones.
func (r *Isolated) Read(ctx context.Context, data []byte, pages []int) (*Text, error) {
	t := &Text{Reader: r.Name()}
	if pages != nil && r.PDFToPPM == "" {
		return nil, &isolated.Fault{Kind: ErrMissing, Cause: errors.New("pdftoppm is not in PATH")}
	}
	if len(pages) > r.most && r.most < MaxPages {
		return nil, &isolated.Fault{Kind: ErrGaveUp, Cause: fmt.Errorf("%d pages are read in a job", len(pages))}
	}
	if pages == nil {
		return t, r.picture(ctx, data, t)
	}
	for _, n := range pages[:min(len(pages), MaxPages)] {
		page, err := r.inSlot(ctx, func() (Page, error) { return r.page(ctx, data, n) })
		if err != nil && !r.leaves(err) {
			return nil, err
		}
		page.Unread = err != nil
		t.Pages = append(t.Pages, page)
	}
	return t, nil
}

// inSlot reads a page in a slot of its own: between two pages of a long scan, other people's files have their turn.
func (r *Isolated) inSlot(ctx context.Context, read func() (Page, error)) (Page, error) {
	release, err := r.Acquire(ctx)
	if err != nil {
		return Page{}, err
	}
	defer release()
	return read()
}

// leaves reports whether a page that cannot be read is left out. While somebody waits, one that takes too long, or
// that no slot is free for, is not: a job has more time.
func (r *Isolated) leaves(err error) bool {
	var fault *isolated.Fault
	var failed *isolated.Failed
	late := r.most < MaxPages && errors.Is(err, ErrGaveUp) || errors.Is(err, isolated.ErrBusy)
	return errors.As(err, &failed) || errors.As(err, &fault) && !late
}

// page reads a page of a PDF.
func (r *Isolated) page(ctx context.Context, data []byte, n int) (Page, error) {
	drawn, err := r.Run(ctx, data, Rendering, r.PDFToPPM, strconv.Itoa(n))
	if err != nil {
		return Page{}, err
	}
	ready, err := r.prepared(ctx, drawn, 1)
	if err != nil {
		return Page{}, err
	}
	return r.words(ctx, ready)
}

// picture reads the pages of a picture into t.
func (r *Isolated) picture(ctx context.Context, data []byte, t *Text) error {
	for n := 1; ; n++ {
		page, err := r.inSlot(ctx, func() (Page, error) {
			ready, err := r.prepared(ctx, data, n)
			if err != nil || n > r.most {
				return Page{}, err
			}
			return r.words(ctx, ready)
		})
		switch {
		case errors.Is(err, errNoPage):
			return nil
		case err != nil && (n == 1 || !r.leaves(err)):
			return err
		case n > MaxPages:
			t.More = true
			return nil
		case n > r.most:
			return &isolated.Fault{Kind: ErrGaveUp, Page: n, Cause: errors.New("more pages are read in a job")}
		}
		page.Unread = err != nil
		t.Pages = append(t.Pages, page)
	}
}

// errNoPage says that a picture has fewer pages.
var errNoPage = errors.New("no such page")

// prepared returns a page of a picture as Prepare does; an error where that has none.
func (r *Isolated) prepared(ctx context.Context, picture []byte, n int) ([]byte, error) {
	out, err := r.Run(ctx, picture, Preparing, strconv.Itoa(n))
	if err != nil {
		return nil, err
	}
	ready, err := prepared(out)
	if err == nil && ready == nil {
		err = errNoPage
	}
	return ready, err
}

// words reads a page that is prepared.
func (r *Isolated) words(ctx context.Context, ready []byte) (Page, error) {
	out, err := r.Run(ctx, ready, Words, r.Tesseract, r.Languages)
	if err != nil {
		return Page{}, err
	}
	pages, err := FromTSV(out)
	if err != nil || len(pages) == 0 {
		return Page{}, err
	}
	return pages[0], nil
}

// Serve is the separate process: it reads a picture from in and writes what args ask for to out. args are what follows
// the name of the process. isolated.Limit has been called.
func Serve(in io.Reader, out io.Writer, process string, args []string) error {
	switch {
	case process == Preparing && len(args) == 1:
		data, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		return serve(out, data, args[0])
	case process == Rendering && len(args) == 2:
		return isolated.Become(args[0], renderArgs(args[1]))
	case process == Words && len(args) == 2:
		// more threads gain little, and would make tenants wait for each other
		if err := os.Setenv("OMP_THREAD_LIMIT", "1"); err != nil {
			return err
		}
		return isolated.Become(args[0], wordArgs(args[1]))
	}
	return fmt.Errorf("%q is nothing that is done with a picture", append([]string{process}, args...))
}

// Program returns the program that a process of these arguments is replaced by, "" if none.
func Program(args []string) string {
	if len(args) > 1 && (args[0] == Rendering || args[0] == Words) {
		return args[1]
	}
	return ""
}

// wordArgs make tesseract read the picture on standard input and write a row for each word, with its confidence. It
// finds the columns of a page by itself (3); that a page is upright and level is seen to before.
func wordArgs(languages string) []string {
	return []string{"stdin", "stdout", "-l", languages, "--psm", "3", "tsv"}
}

// renderArgs make pdftoppm draw a page of the PDF on standard input in gray, on the area that viewers show, never
// larger than side.
func renderArgs(page string) []string {
	return []string{"-gray", "-cropbox", "-scale-to", strconv.Itoa(side), "-f", page, "-l", page, "-"}
}
