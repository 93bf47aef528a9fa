package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sanad/internal/auth"
)

// password is a new user's password.
type password struct {
	hash  string
	plain string // set if generated here and therefore to be shown; otherwise ""
}

// maxPasswordLine limits how much is read; auth.CheckPassword refuses passwords much shorter than that.
const maxPasswordLine = 4 << 10

// choosePassword reads a password from the first line of in, or generates one. It is never an argument, because
// arguments are visible to everybody on the machine and stay in the shell's history.
func choosePassword(ctx context.Context, login string, fromStdin bool, in io.Reader) (password, error) {
	var p password
	plain := auth.RandomPassword()
	p.plain = plain
	if fromStdin {
		var err error
		if plain, err = readPassword(in); err != nil {
			return p, err
		}
		p.plain = ""
		if err := auth.CheckPassword(plain, login); err != nil {
			return p, err
		}
	}
	var err error
	p.hash, err = auth.NewHasher(1).Hash(ctx, plain)
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
