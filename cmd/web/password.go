package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/auth"
)

// password is a new user's password.
type password struct {
	hash  string
	plain string // set if generated here and therefore to be shown; otherwise ""
}

// maxPasswordLine limits how much is read; auth.CheckPassword refuses passwords much shorter than that.
const maxPasswordLine = 4 << 10

// passwordFlags say where a new password comes from, and which ones the operator forbids.
type passwordFlags struct {
	fromStdin bool
	forbidden forbiddenFlag
}

func (f *passwordFlags) add(cmd *cobra.Command) {
	stdinFlag(cmd, &f.fromStdin)
	f.forbidden.add(cmd)
}

// forbiddenFlag names the operator's list of forbidden passwords (rule SEC-2).
type forbiddenFlag struct{ file string }

func (f *forbiddenFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "forbidden-passwords-file", "",
		"file of passwords that nobody may choose, one a line, besides the common ones that are built in")
}

// read returns the list, nil without a file.
func (f *forbiddenFlag) read() (*auth.Forbidden, error) {
	if f.file == "" {
		return nil, nil
	}
	file, err := os.Open(f.file)
	if err != nil {
		return nil, fmt.Errorf("--forbidden-passwords-file: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	list, err := auth.ReadForbidden(file)
	if err != nil {
		return nil, fmt.Errorf("--forbidden-passwords-file %s: %w", f.file, err)
	}
	return list, nil
}

// choose reads the password of n's login from the first line of in, or generates one. It is never an argument, because
// arguments are visible to everybody on the machine and stay in the shell's history.
func (f *passwordFlags) choose(ctx context.Context, n auth.NewPassword, in io.Reader) (password, error) {
	var p password
	var err error
	if n.Forbidden, err = f.forbidden.read(); err != nil {
		return p, err
	}
	n.Password = auth.RandomPassword()
	p.plain = n.Password
	if f.fromStdin {
		if n.Password, err = readPassword(in); err != nil {
			return p, err
		}
		p.plain = ""
		if err := auth.CheckPassword(n); err != nil {
			return p, err
		}
	}
	p.hash, err = auth.NewHasher(1).Hash(ctx, n.Password)
	return p, err
}

// readPassword reads the first line of in.
func readPassword(in io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, maxPasswordLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// show prints a generated password, the only time that it is shown.
func (p password) show(out io.Writer) {
	if p.plain != "" {
		fmt.Fprintf(out, "password\t%s\tshown this once\n", p.plain)
	}
}
