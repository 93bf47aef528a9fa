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

// password is one that was chosen for a user.
type password struct {
	hash  string
	plain string // where it was made here, and somebody must be told; else ""
}

// maxPasswordLine bounds what is read of a password; auth.CheckPassword refuses long before.
const maxPasswordLine = 4 << 10

// choosePassword reads a password from the first line of in, or makes one at random. It is never an argument: those can
// be seen by everybody on the machine and stay in the shell's history.
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

// show tells a password that was made here, the only time it is shown.
func (p password) show(out io.Writer) {
	if p.plain != "" {
		fmt.Fprintf(out, "password\t%s\tshown this once\n", p.plain)
	}
}
