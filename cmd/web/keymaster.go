package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/keys"
)

// newMaster holds the flags that name the new master key.
type newMaster struct {
	file     string
	command  string
	generate bool
}

func newKeyRotateMaster(io streams) *cobra.Command {
	var c config
	var next newMaster
	dry := false
	cmd := &cobra.Command{
		Use: "rotate-master", Short: "Replace the master key; the server must be stopped", Args: cobra.NoArgs,
		Long: "rotate-master seals everything that the database holds sealed with the new key in the place of the one\n" +
			"that --master-key-file, --master-key-command or " + masterKeyVariable + " gives, in one transaction, with an event\n" +
			"in each tenant's log. Whatever stops it, either the old key opens the database or the new one; if it is not clear\n" +
			"which, run it again. Backups made before need the old key.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := c.options()
			if err != nil {
				return failure{err}
			}
			return asFailure(next.rotate(cmd.Context(), o, dry, io))
		},
	}
	c.storeFlags(cmd, "data")
	cmd.Flags().StringVar(&next.file, "new-master-key-file", "",
		"file with the new master key; others may not use it (mode 0600 or 0640)")
	cmd.Flags().StringVar(&next.command, "new-master-key-command", "",
		"command that prints the new master key, run by the system's shell; it is run twice and must print the same")
	cmd.Flags().BoolVar(&next.generate, "generate", false, "make the new master key, in --new-master-key-file")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print what would be sealed again, and change nothing")
	return cmd
}

func (n *newMaster) rotate(ctx context.Context, o db.Options, dry bool, io streams) error {
	fresh, made, err := n.box(dry)
	if err != nil {
		return err
	}
	r, err := backup.RotateMasterKey(ctx, o, fresh, dry)
	if err != nil {
		if made {
			err = errors.Join(err, dropUnused(ctx, &r, o, n.file, fresh))
		}
		return err
	}
	report(&r, dry, n.file, io)
	return nil
}

// box returns the new key, and whether its file was made just now. A dry run makes a key without a file.
func (n *newMaster) box(dry bool) (fresh *keys.Box, made bool, err error) {
	switch {
	case (n.file == "") == (n.command == ""):
		return nil, false, errors.New("give --new-master-key-file or --new-master-key-command, and one of the two only")
	case n.command != "":
		if n.generate {
			return nil, false, errors.New("--generate makes a file: give --new-master-key-file")
		}
		fresh, err = steadyKey(n.command)
		return fresh, false, err
	case n.generate && dry:
		fresh, err = keyWithoutFile(n.file)
		return fresh, false, err
	case n.generate:
		if err := makeKey(n.file); err != nil {
			return nil, false, err
		}
		made = true
	}
	fresh, err = ownKey(n.file)
	return fresh, made, err
}

// steadyKey returns the key that a command prints. A command that prints another one each time would lose it.
func steadyKey(command string) (*keys.Box, error) {
	const flag = "--new-master-key-command"
	first, err := outputOf(flag, command)
	if err != nil {
		return nil, err
	}
	again, err := outputOf(flag, command)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(first) != strings.TrimSpace(again) {
		return nil, errors.New(flag + ": it printed two different keys; it must print one that is stored somewhere")
	}
	return boxOf(first, flag)
}

// keyWithoutFile returns a key that is written nowhere, unless the file is there already.
func keyWithoutFile(name string) (*keys.Box, error) {
	if _, err := os.Lstat(name); err == nil {
		return nil, exists(name)
	}
	text, err := keys.Generate(rand.Reader)
	if err != nil {
		return nil, err
	}
	return boxOf(text, name)
}

func exists(name string) error {
	return fmt.Errorf("%s already exists and was not changed; without --generate, its key is taken", name)
}

// makeKey makes a key file. It is on the disk, with its name, before anything is sealed with it.
func makeKey(name string) error {
	err := initMasterKey(name)
	if errors.Is(err, os.ErrExist) {
		return exists(name)
	}
	if err != nil || runtime.GOOS == "windows" { // which has no folders to sync
		return err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err == nil {
		err = errors.Join(dir.Sync(), dir.Close())
	}
	if err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// ownKey reads a key from a file that is there to stay, and that its owner alone, and at most a group, may read.
func ownKey(name string) (*keys.Box, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--new-master-key-file: %w; --generate makes it", err)
	case err != nil:
		return nil, fmt.Errorf("--new-master-key-file: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("--new-master-key-file: %s is no file: what is read from it could be lost", name)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o027 != 0: // as package and doctor have it
		return nil, fmt.Errorf("--new-master-key-file: others may use %s (mode %04o): make a new key with sanad "+
			"key init, and keep it from them", name, info.Mode().Perm())
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--new-master-key-file: %w", err)
	}
	return boxOf(string(text), name)
}

// dropUnused removes a key file that was made for a rotation that failed, unless something may be sealed with the key.
func dropUnused(ctx context.Context, r *backup.MasterKeyRotation, o db.Options, name string, fresh *keys.Box) error {
	o.Keys = fresh
	if r.Begun {
		if e, err := backup.Examine(ctx, o); err != nil || e.WrongKey == nil {
			return fmt.Errorf("%s was kept: it may be the master key now; see sanad doctor", name)
		}
	}
	return os.Remove(name)
}

// report prints what a rotation did.
func report(r *backup.MasterKeyRotation, dry bool, file string, io streams) {
	if r.Before {
		fmt.Fprintf(io.out, "The new master key (%s) is in use already: nothing was changed. Give it from now on.\n", r.New)
		return
	}
	for _, x := range r.Resealed {
		fmt.Fprintf(io.out, "%s\t%d\n", x.Table, x.N)
	}
	if dry {
		fmt.Fprintf(io.out, "All of this opens with the master key %s and would be sealed again. Nothing was changed.\n",
			r.Old)
		return
	}
	fmt.Fprintf(io.out, "The master key is now %s; %s opens backups made before, and nothing else.\n", r.New, r.Old)
	if file != "" {
		fmt.Fprintf(io.out, "Give --master-key-file %s from now on, and keep a copy of it apart from the database.\n", file)
	}
	fmt.Fprintln(io.out, "Browsers are no longer known; counts of wrong passwords began again.")
	if r.Remains != nil {
		fmt.Fprintf(io.err, "What was sealed with the old key may still be in free pages of the database (%s); "+
			"the server's next start tries again to remove it.\n", explain(r.Remains))
	}
}
