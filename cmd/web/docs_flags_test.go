package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestListOfFlags holds docs/flags.md to the program: each command with each of its flags.
func TestListOfFlags(t *testing.T) {
	const name = "../../docs/flags.md"
	want := flagPage(newRoot(streams{}))
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(want), 0o644))
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "go test ./cmd/web -run TestListOfFlags -update writes it")
}

func flagPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(`# Flags

Written by a test from the program's own flags; see [operating.md](operating.md) for what they are for.

Each flag can be given on the command line, as a variable (` + "`--public-url` as `SANAD_PUBLIC_URL`" + `), or, if ` +
		"`serve`" + ` has
it, in a file for all commands: ` + "`--config FILE`" + `, YAML with lines ` + "`NAME: VALUE`" + `. A flag comes before a variable, a variable
before the file, the file before the default. An unknown name in it is refused with its line; a variable that begins with
` + "`SANAD_`" + ` and belongs to no flag is named in a warning when the server starts. No flag holds a secret itself: it
names a file, or a command that prints it. ` + "`" + masterKeyVariable + "`" + ` can hold the master key where there is no file.

` + "```yaml" + `
# /etc/sanad/sanad.yaml
data: /var/lib/sanad
master-key-file: /etc/sanad/master.key
public-url: https://sanad.example
tls-cert: /etc/sanad/tls/cert.pem
tls-key: /etc/sanad/tls/key.pem
host: [sanad.internal, metrics.internal]
` + "```" + `
`)
	global := pflag.NewFlagSet("", pflag.ContinueOnError)
	global.AddFlagSet(root.PersistentFlags())
	b.WriteString("\n## Every command\n" + flagTable(global))
	var walk func(c *cobra.Command, path string)
	walk = func(c *cobra.Command, path string) {
		if c.Hidden || c.Name() == "help" {
			return
		}
		path = strings.TrimSpace(path + " " + c.Name())
		if !c.HasSubCommands() {
			fmt.Fprintf(&b, "\n## sanad %s\n\n%s\n%s", strings.TrimSuffix(path+strings.TrimPrefix(c.Use, c.Name()), " "),
				sentence(c.Short), flagTable(c.Flags()))
		}
		for _, sub := range c.Commands() {
			walk(sub, path)
		}
	}
	for _, c := range root.Commands() {
		walk(c, "")
	}
	return b.String()
}

// flagTable returns the rows of a command's own flags; "" if it has none.
func flagTable(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		standard := ""
		if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false" {
			standard = "`" + f.DefValue + "`"
		}
		fmt.Fprintf(&b, "| `--%s` | %s | %s |\n", f.Name, standard, strings.ReplaceAll(f.Usage, "|", "\\|"))
	})
	if b.Len() == 0 {
		return ""
	}
	return "\n| flag | default | what it says |\n|---|---|---|\n" + b.String()
}

func sentence(s string) string { return strings.TrimSuffix(s, ".") + "." }
