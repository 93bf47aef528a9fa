package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// configFlag is the name of the flag that every command has, for a file of flags.
const configFlag = "config"

// notInFile lists the flags that a file cannot hold: they say what one call is to do.
var notInFile = []string{configFlag, "help", "version"}

// fromFile sets each flag that was given neither on the command line nor in the environment, from the file of --config.
// The file may name every flag of serve, so that one file serves all commands; a command takes those that it has.
func fromFile(cmd *cobra.Command) error {
	name, err := cmd.Flags().GetString(configFlag)
	if err != nil || name == "" {
		return err
	}
	settings, err := readConfigFile(name, serveFlags(cmd.Root()))
	if err != nil {
		return failure{err}
	}
	for _, s := range settings {
		if how := changeable(name); s.name == commandFlag && how != "" {
			return failure{fmt.Errorf("%s:%d: %s, and it names a command: %s", name, s.line, commandFlag, how)}
		}
		f := cmd.Flags().Lookup(s.name)
		if f == nil || f.Changed {
			continue
		}
		for _, v := range s.values {
			if err := cmd.Flags().Set(s.name, v); err != nil {
				return failure{fmt.Errorf("%s:%d: %w", name, s.line, err)}
			}
		}
	}
	return nil
}

// serveFlags returns the flags of serve that a file may hold.
func serveFlags(root *cobra.Command) map[string]*pflag.Flag {
	out := map[string]*pflag.Flag{}
	for _, c := range root.Commands() {
		if c.Name() == "serve" {
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if !slices.Contains(notInFile, f.Name) {
					out[f.Name] = f
				}
			})
		}
	}
	return out
}

// setting is one line of the file: a flag and its value, or its values if it may be repeated.
type setting struct {
	name   string
	values []string
	line   int
}

// mostConfig is the size limit of the file, in bytes.
const mostConfig = 1 << 20

// readConfigFile reads a YAML file of flags by their names. An error names the line.
func readConfigFile(name string, known map[string]*pflag.Flag) ([]setting, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	data, err := io.ReadAll(io.LimitReader(f, mostConfig+1))
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	if len(data) > mostConfig {
		return nil, fmt.Errorf("%s: the file is larger than %d bytes", name, mostConfig)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind == 0 || doc.Content[0].ShortTag() == "!!null" {
		return nil, nil // empty, or comments only
	}
	return settingsOf(name, doc.Content[0], known)
}

func settingsOf(file string, top *yaml.Node, known map[string]*pflag.Flag) (settings []setting, err error) {
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: the file is a list of lines NAME: VALUE", file, top.Line)
	}
	seen := map[string]int{}
	for i := 0; i < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		f := known[key.Value]
		switch {
		case f == nil:
			return nil, fmt.Errorf("%s:%d: there is no setting %q%s", file, key.Line, key.Value, nearest(key.Value, known))
		case seen[key.Value] > 0:
			return nil, fmt.Errorf("%s:%d: %q is in line %d already", file, key.Line, key.Value, seen[key.Value])
		}
		seen[key.Value] = key.Line
		s := setting{name: key.Value, line: value.Line}
		if s.values, err = valuesOf(value, f); err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", file, value.Line, key.Value, err)
		}
		settings = append(settings, s)
	}
	return settings, nil
}

func valuesOf(n *yaml.Node, f *pflag.Flag) (values []string, err error) {
	_, repeats := f.Value.(pflag.SliceValue)
	switch {
	case n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null":
		return []string{n.Value}, nil
	case n.Kind == yaml.SequenceNode && repeats:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode || item.ShortTag() == "!!null" {
				return nil, errors.New("a list holds plain values")
			}
			values = append(values, item.Value)
		}
		return values, nil
	case n.ShortTag() == "!!null":
		return nil, errors.New("the value is missing")
	}
	return nil, errors.New("this takes one plain value")
}

// nearest offers the setting that was probably meant: the same but for spelling it with _ or as a variable.
func nearest(name string, known map[string]*pflag.Flag) string {
	plain := strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(name), "sanad_"), "_", "-")
	if known[plain] != nil {
		return fmt.Sprintf("; did you mean %q?", plain)
	}
	return "; docs/flags.md lists them"
}
