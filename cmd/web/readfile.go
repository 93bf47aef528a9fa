package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/documents"
	"sanad/internal/importers"
	"sanad/internal/isolated"
	"sanad/internal/ocr"
	"sanad/internal/pdftext"
)

// readFileName is the sub-command that reads one file in its own process.
const readFileName = "read-file"

// newReadFile returns the command that this program starts to read an uploaded file. It is hidden, since nobody else
// needs it.
func newReadFile(s streams) *cobra.Command {
	var try bool
	cmd := &cobra.Command{
		Use: readFileName + " pdf [PDFTOTEXT] | document MEDIATYPE | picture PAGE | page PDFTOPPM PAGE | " +
			"words TESSERACT LANGUAGES",
		Short:  "Read a file from standard input (the server starts this)",
		Hidden: true,
		Args:   cobra.MaximumNArgs(3),
		RunE: func(_ *cobra.Command, args []string) error {
			if try {
				fmt.Fprintln(s.out, strings.Join(isolated.Confine(""), " "))
				return nil
			}
			if err := readFile(s, args); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&try, "try", false, "read nothing; print what confines this process")
	return cmd
}

// readFile limits this process and reads a file in it.
func readFile(s streams, args []string) error {
	if err := isolated.Limit(); err != nil {
		return err
	}
	program := ocr.Program(args)
	if len(args) == 2 && args[0] == pdftext.Process {
		program = args[1]
	}
	isolated.Confine(program) // what the kernel lacks is in the log since the server's start
	switch {
	case len(args) == 2 && args[0] == documents.Process:
		return documents.Serve(s.in, s.out, args[1])
	case len(args) > 0 && args[0] == pdftext.Process:
		return pdftext.Serve(s.in, s.out, program)
	case len(args) > 1:
		return ocr.Serve(s.in, s.out, args[0], args[1:])
	}
	return fmt.Errorf("%q is no kind of file that is read", args)
}

// fileReaders are the readers of uploaded files in processes of this program.
type fileReaders struct {
	processes *isolated.Processes
	pdf       *pdftext.Isolated
	pictures  *ocr.Isolated // nil if tesseract is not installed
}

// askingOCR is how long tesseract may take to say its version and languages.
const askingOCR = 10 * time.Second

// newFileReaders returns the readers. use is the flag --pdf-reader, "" for the default.
func newFileReaders(use pdftext.Use) (r fileReaders, err error) {
	if use == "" {
		use = pdftext.UseAuto
	}
	if use != pdftext.UseAuto && use != pdftext.UseOwn && use != pdftext.UsePoppler {
		return r, fmt.Errorf("--pdf-reader must be auto, sanad or pdftotext, not %q", use)
	}
	self, err := os.Executable()
	if err != nil {
		return r, failure{err}
	}
	r.processes = isolated.New([]string{self, readFileName})
	if r.pdf, err = pdftext.NewIsolated(r.processes, use); err != nil {
		return r, failure{err}
	}
	ctx, stop := context.WithTimeout(context.Background(), askingOCR)
	defer stop()
	if r.pictures, err = ocr.NewIsolated(ctx, r.processes); errors.Is(err, ocr.ErrMissing) {
		r.pictures, err = nil, nil // what cannot be read is said with each file, and by sanad doctor
	}
	return r, err
}

// warn logs what the system does not let the server take from the processes that read files.
func (r fileReaders) warn(ctx context.Context, log *slog.Logger) {
	holds, err := r.processes.Confined(ctx)
	offline := r.processes.Offline()
	if ctx.Err() != nil {
		return
	}
	if err != nil || !offline || len(holds) < len(confinements) {
		log.Warn("this system does not confine the processes that read files as far as others do",
			"without_network", offline, "confined_by", holds, "wanted", confinements, "err", err)
	}
}

// confinements are those that isolated.Confine names.
var confinements = []string{"landlock", "seccomp"}

// whole returns o with readers for jobs, which wait for a slot as long as it takes.
func (r fileReaders) whole(o importers.Options) importers.Options {
	o.PDF, o.Parse = r.pdf.Read, documents.Isolated(r.processes)
	if r.pictures != nil {
		o.Pictures = r.pictures.Read
	}
	return o
}

// soon returns o with readers for requests, which somebody waits for.
func (r fileReaders) soon(o importers.Options) importers.Options {
	o.PDF, o.Parse = r.pdf.Soon().Read, documents.Isolated(r.processes.Soon())
	if r.pictures != nil {
		o.Pictures = r.pictures.Soon().Read
	}
	return o
}
