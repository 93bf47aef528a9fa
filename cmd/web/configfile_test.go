package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// serveAs parses a command line of serve, with a file, and returns its flags or the error; nothing is served.
func serveAs(t *testing.T, file string, args ...string) (map[string]string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sanad.yaml")
	require.NoError(t, os.WriteFile(name, []byte(file), 0o600))
	var io streams
	io.out, io.err = &bytes.Buffer{}, &bytes.Buffer{}
	root := newRoot(io)
	got := map[string]string{}
	for _, c := range root.Commands() {
		if c.Name() == "serve" {
			c.RunE = func(cmd *cobra.Command, _ []string) error {
				cmd.Flags().VisitAll(func(f *pflag.Flag) { got[f.Name] = f.Value.String() })
				return nil
			}
		}
	}
	root.SetArgs(append([]string{"serve", "--config", name}, args...))
	err := root.Execute()
	if err != nil {
		err = &named{strings.ReplaceAll(err.Error(), name, "FILE")}
	}
	return got, err
}

type named struct{ text string }

func (n *named) Error() string { return n.text }

func TestConfigFile(t *testing.T) {
	const file = `# a comment
data: /var/lib/sanad
rate-limit: 7
trust-proxy: true
host: [a.example, b.example]
webhook-allow:
  - 10.0.0.0/8
public-url: "https://sanad.example"
`
	got, err := serveAs(t, file)
	require.NoError(t, err)
	require.Equal(t, "/var/lib/sanad", got["data"])
	require.Equal(t, "7", got["rate-limit"])
	require.Equal(t, "true", got["trust-proxy"])
	require.Equal(t, "[a.example,b.example]", got["host"])
	require.Equal(t, "[10.0.0.0/8]", got["webhook-allow"])
	require.Equal(t, "127.0.0.1:8080", got["addr"], "what the file does not name stays")

	t.Setenv("SANAD_RATE_LIMIT", "8")
	t.Setenv("SANAD_DATA", "/from/variable")
	got, err = serveAs(t, file, "--data", "/from/flag")
	require.NoError(t, err)
	require.Equal(t, "/from/flag", got["data"], "a flag comes first")
	require.Equal(t, "8", got["rate-limit"], "then a variable")
	require.Equal(t, "true", got["trust-proxy"], "then the file")
}

func TestRefusedConfigFiles(t *testing.T) {
	for name, c := range map[string]struct{ file, says string }{
		"unknown":            {"data: x\n\ncolour: red\n", `FILE:3: there is no setting "colour"`},
		"as a variable":      {"SANAD_DATA: x\n", `did you mean "data"?`},
		"with underscore":    {"public_url: x\n", `did you mean "public-url"?`},
		"secret":             {"master-key: abc\n", `FILE:1: there is no setting "master-key"`},
		"itself":             {"config: x\n", `there is no setting "config"`},
		"twice":              {"data: x\naddr: y\ndata: z\n", `FILE:3: "data" is in line 1 already`},
		"no number":          {"\nrate-limit: many\n", "FILE:2: "},
		"nothing":            {"data:\n", "FILE:1: data: the value is missing"},
		"a tree":             {"data:\n  folder: x\n", "FILE:2: data: this takes one plain value"},
		"a list for one":     {"data: [x, y]\n", "FILE:1: data: this takes one plain value"},
		"a list of trees":    {"host:\n  - a: b\n", "FILE:2: host: a list holds plain values"},
		"no map":             {"- data\n", "FILE:1: the file is a list of lines"},
		"no YAML":            {"data: x\n\tbad\n", "FILE: line 2"},
		"of another command": {"reason: x\n", "there is no setting"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serveAs(t, c.file)
			require.ErrorContains(t, err, c.says)
		})
	}
	for _, empty := range []string{"", "# only a comment\n", "---\n"} {
		_, err := serveAs(t, empty)
		require.NoError(t, err)
	}
}

// A flag's value is in the list of processes, and a file's in every backup of it: neither holds a secret, only where
// one is.
func TestNoFlagHoldsASecret(t *testing.T) {
	for name := range serveFlags(newRoot(streams{})) {
		for _, secret := range []string{"secret", "password", "token", "master-key", "private"} {
			if strings.Contains(name, secret) {
				require.True(t, strings.HasSuffix(name, "-file") || strings.HasSuffix(name, "-command"), name)
			}
		}
	}
}

// The example of docs/flags.md is a file that is read.
func TestConfigExample(t *testing.T) {
	page := flagPage(newRoot(streams{}))
	_, example, ok := strings.Cut(page, "```yaml\n")
	require.True(t, ok)
	example, _, _ = strings.Cut(example, "```")
	got, err := serveAs(t, example)
	require.NoError(t, err)
	require.Equal(t, "/etc/sanad/master.key", got["master-key-file"])
}

func TestMasterKeyCommand(t *testing.T) {
	t.Setenv(masterKeyVariable, "")
	const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	for name, c := range map[string]struct {
		file, command, says string
	}{
		"prints it":  {command: "echo " + key},
		"shell":      {command: "printf '%s' '" + key + "' | cat"},
		"fails":      {command: "echo " + key + "; exit 3", says: "exit status 3"},
		"nothing":    {command: "true", says: "it printed nothing"},
		"no key":     {command: "echo open sesame", says: "is not 32 bytes"},
		"none":       {command: "/nowhere/vault", says: "--master-key-command: exit status 127"},
		"two places": {file: "x", command: "echo " + key, says: "give one of the two"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := (&config{masterKeyFile: c.file, masterKeyCommand: c.command}).box()
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), key)
			require.NotContains(t, err.Error(), "sesame")
		})
	}
}
