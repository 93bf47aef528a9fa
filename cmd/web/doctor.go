package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/app"
)

// finding is what one check of doctor says.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"` // ok, warning or fault
	Says  string `json:"says"`
	Mend  string `json:"mend,omitempty"` // what to do about it
}

// The states of a finding. They are printed and in the JSON.
const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateFault   = "fault"
)

func newDoctor(io streams) *cobra.Command {
	var c serveConfig
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check what the server needs: configuration, key, folders, database, other servers",
		Args: cobra.NoArgs,
		Long: "doctor checks everything that sanad serve would use with the same flags, and changes nothing. It says of\n" +
			"each what is wrong and how to mend it. It may run beside the server. The exit code is 1 if there is a fault;\n" +
			"warnings leave it at 0.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if c.configFile, err = cmd.Flags().GetString(configFlag); err != nil {
				return err
			}
			return printFindings(io, examine(cmd.Context(), &c, io.embedded), asJSON)
		},
	}
	c.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// doctor collects findings.
type doctor struct {
	ctx      context.Context //nolint:containedctx // lives for one call of examine
	c        *serveConfig
	own      *app.Embedded
	findings []finding
}

func (d *doctor) ok(check, says string, args ...any) {
	d.findings = append(d.findings, finding{Check: check, State: stateOK, Says: fmt.Sprintf(says, args...)})
}

func (d *doctor) warn(check, mend, says string, args ...any) {
	d.findings = append(d.findings,
		finding{Check: check, State: stateWarning, Says: fmt.Sprintf(says, args...), Mend: mend})
}

func (d *doctor) fault(check, mend, says string, args ...any) {
	d.findings = append(d.findings,
		finding{Check: check, State: stateFault, Says: fmt.Sprintf(says, args...), Mend: mend})
}

// examine runs every check.
func examine(ctx context.Context, c *serveConfig, own *app.Embedded) []finding {
	d := &doctor{ctx: ctx, c: c, own: own}
	d.configuration()
	d.certificate()
	box := d.masterKey()
	d.folders()
	d.database(box)
	d.witness(box)
	d.buckets()
	d.openID()
	d.openFGA()
	d.mailServer()
	d.readers()
	d.embeddedReader()
	return d.findings
}

func printFindings(io streams, findings []finding, asJSON bool) error {
	faults := 0
	for _, f := range findings {
		if f.State == stateFault {
			faults++
		}
	}
	if asJSON {
		e := json.NewEncoder(io.out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(map[string]any{"ok": faults == 0, "findings": findings}); err != nil {
			return failure{err}
		}
	} else {
		for _, f := range findings {
			fmt.Fprintf(io.out, "%-8s %s: %s\n", f.State, f.Check, f.Says)
			if f.Mend != "" {
				fmt.Fprintf(io.out, "         mend: %s\n", f.Mend)
			}
		}
	}
	if faults > 0 {
		return errFailed
	}
	return nil
}
