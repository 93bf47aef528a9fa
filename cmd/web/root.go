package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sanad/internal/app"
	"sanad/internal/domain"
)

// streams are a command's input and outputs, and the judge that the program comes with; tests pass their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
	embedded *app.Embedded // nil compares words only
}

// The exit codes (rule WEB-10).
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// errFailed means that the command failed and has already reported why.
var errFailed = errors.New("failed")

// errUnread means that input could not be read, and that why has been said.
var errUnread = errors.New("not read")

// unreadable is an error of a command whose exit code 1 is an answer: it could not give one, and ends as wrong usage
// does.
type unreadable struct{ err error }

func (u unreadable) Error() string { return u.err.Error() }
func (u unreadable) Unwrap() error { return u.err }

// failure is an error of the work itself, as opposed to wrong usage.
type failure struct{ err error }

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

func asFailure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, io streams) int {
	root := newRoot(io)
	root.SetArgs(args)
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	err := root.ExecuteContext(ctx)
	var fail failure
	var none unreadable
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errUnread):
		return exitUsage
	case errors.As(err, &none):
		fmt.Fprintln(io.err, calledBy()+":", explain(none.err))
		return exitUsage
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &fail):
		fmt.Fprintln(io.err, calledBy()+":", explain(fail.err))
		return exitFailed
	}
	fmt.Fprintln(io.err, calledBy()+":", err)
	fmt.Fprintln(io.err, "See: "+calledBy()+" --help")
	return exitUsage
}

// explain returns an error's safe message if it has one. For an internal error it returns the cause, for the operator.
func explain(err error) string {
	var e *domain.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Kind == domain.Internal && e.Err != nil {
		return explain(e.Err)
	}
	if e.Kind == domain.Unavailable && e.Err != nil { // the operator is who reads this
		return strings.TrimSuffix(e.Safe(), " Tell your operator.") + " The cause: " + e.Err.Error()
	}
	return e.Safe()
}

func newRoot(io streams) *cobra.Command {
	root := &cobra.Command{
		Use:     calledBy(),
		Version: versionLine(),
		Short:   "Sanad: check what an AI said against its sources, and sign for it",
		Long: "Sanad maps each claim of an AI's answer to its evidence, computes a verdict, and lets people review it.\n" +
			"Without a sub-command it serves (" + calledBy() + " serve).\n\n" +
			"Every flag can be given as an environment variable: --data as SANAD_DATA, --addr as SANAD_ADDR, and so on;\n" +
			"those of serve also in a file, --config FILE, for all commands. A flag comes before a variable, a variable\n" +
			"before the file.\n" +
			"Exit codes: 0 ok, 1 the work failed or a check found something, 2 wrong usage.",
		SilenceErrors: true, SilenceUsage: true, Args: cobra.NoArgs,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	serve := newServe(io)
	root.RunE = serve.RunE
	root.Flags().AddFlagSet(serve.Flags())
	root.AddCommand(serve, newDemo(io), newImport(io), newJudge(io), newCheck(io), newExport(io), newMigrate(io), newMove(io),
		newReassess(io), newReader(io), newTenant(io), newUser(io), newToken(io), newOpenFGA(io), newMail(io), newKey(io), newAudit(io), newPurge(io),
		newBackup(io), newRestore(io), newVerify(io), newVerifyRelease(io), newVerifyEvidence(io),
		newBundle(io), newOpenAPI(io), newReadFile(io),
		newHealthcheck(io), newDoctor(io), newMCP(io))
	root.PersistentFlags().String(configFlag, "", "file of flags, in YAML: lines NAME: VALUE (docs/flags.md)")
	withEnvironment(root)
	return root
}

// withEnvironment lets a command and its sub-commands read flags from the environment, then from a file.
func withEnvironment(c *cobra.Command) {
	c.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := fromEnvironment(cmd.Flags()); err != nil {
			return err
		}
		return fromFile(cmd)
	}
	for _, sub := range c.Commands() {
		withEnvironment(sub)
	}
}

// fromEnvironment sets each flag that was not given from the variable SANAD_<NAME>.
func fromEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		name := variableOf(f)
		if v, ok := os.LookupEnv(name); ok && !f.Changed && f.Name != "help" && err == nil {
			if e := flags.Set(f.Name, v); e != nil {
				err = fmt.Errorf("%s: %w", name, e)
			}
		}
	})
	return err
}

const variablePrefix = "SANAD_"

// variableOf is the environment variable of a flag.
func variableOf(f *pflag.Flag) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// variables are all that the program reads: one for each flag of its commands, and the master key.
func variables() map[string]bool {
	out := map[string]bool{masterKeyVariable: true}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { out[variableOf(f)] = true })
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(streams{}))
	return out
}

// ofCluster matches what Kubernetes sets in every pod for a service that is called "sanad".
var ofCluster = regexp.MustCompile(`^SANAD_(\w+_)?(SERVICE_(HOST|PORT\w*)|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$`)

// unknownVariables returns the names in an environment that begin as those of Sanad do and that it does not read, such as
// SANAD_DATBASE, in order.
func unknownVariables(environ []string) (out []string) {
	known := variables()
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, variablePrefix) && !known[name] && !ofCluster.MatchString(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
