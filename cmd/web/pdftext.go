package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sanad/internal/pdftext"
)

// pdfTextName is the sub-command that reads one PDF in its own process.
const pdfTextName = "pdf-text"

// newPDFText returns the command that this program starts to read a PDF. It is hidden, since nobody else needs it.
func newPDFText(s streams) *cobra.Command {
	var try bool
	cmd := &cobra.Command{
		Use: pdfTextName + " [PDFTOTEXT]", Short: "Read a PDF from standard input (the server starts this)",
		Hidden: true,
		Args:   cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if try {
				return nil
			}
			program := ""
			if len(args) > 0 {
				program = args[0]
			}
			if err := pdftext.Serve(s.in, s.out, program); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&try, "try", false, "do nothing")
	return cmd
}

// pdfReader returns a reader of PDF in processes of this program. use is the flag --pdf-reader, "" for the default.
func pdfReader(use pdftext.Use) (*pdftext.Isolated, error) {
	if use == "" {
		use = pdftext.UseAuto
	}
	if use != pdftext.UseAuto && use != pdftext.UseOwn && use != pdftext.UsePoppler {
		return nil, fmt.Errorf("--pdf-reader must be auto, sanad or pdftotext, not %q", use)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, failure{err}
	}
	r, err := pdftext.NewIsolated([]string{self, pdfTextName}, use)
	if err != nil {
		return nil, failure{err}
	}
	return r, nil
}
