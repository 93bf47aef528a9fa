package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/keys"
)

// masterKeyVariable holds the master key itself if there is no key file.
const masterKeyVariable = "SANAD_MASTER_KEY"

// commandFlag is the name of the flag that runs a command. A file that others can change may not hold it (rule SEC-13).
const commandFlag = "master-key-command"

// keyFlags adds the flags for the master key and for the checkpoints of the audit logs.
func (c *config) keyFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.masterKeyFile, "master-key-file", "",
		"file with the master key (default: the key in "+masterKeyVariable+"); sanad key init makes one")
	cmd.Flags().StringVar(&c.masterKeyCommand, commandFlag, "",
		"command that prints the master key, run by the system's shell; for a vault or an HSM")
	cmd.Flags().StringVar(&c.checkpoints, "checkpoints", "",
		"folder or S3-compatible bucket (s3://NAME?…) for the audit logs' newest checkpoints, best on another disk than "+
			"--data (default: DATA-checkpoints)")
}

var errNoMasterKey = errors.New("there is no master key; create one with: sanad key init FILE, " +
	"then give --master-key-file FILE, --master-key-command COMMAND or set " + masterKeyVariable + ". " +
	"Keep it apart from the database and its backups: " +
	"without it signing keys and one-time codes are lost")

// box returns the box of the master key: from the file or the command if one is given, and otherwise from the
// environment.
func (c *config) box() (*keys.Box, error) {
	text, from, err := c.masterKeyText()
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, errNoMasterKey
	}
	return boxOf(text, from)
}

func boxOf(text, from string) (*keys.Box, error) {
	key, err := keys.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; sanad key init FILE creates one", from, err)
	}
	return keys.New(key)
}

// masterKeyText returns the key as it was given, and where it is from; "" if it was not given.
func (c *config) masterKeyText() (text, from string, err error) {
	switch {
	case c.masterKeyFile != "" && c.masterKeyCommand != "":
		return "", "", errors.New("--master-key-file and --master-key-command: give one of the two")
	case c.masterKeyCommand != "":
		text, err = outputOf("--master-key-command", c.masterKeyCommand)
		return text, "--master-key-command", err
	case c.masterKeyFile != "":
		data, err := os.ReadFile(c.masterKeyFile)
		if err != nil {
			return "", "", fmt.Errorf("--master-key-file: %w; sanad key init %s creates it", err, c.masterKeyFile)
		}
		return string(data), c.masterKeyFile, nil
	}
	return os.Getenv(masterKeyVariable), masterKeyVariable, nil
}

// keyCommandTimeout bounds how long a command may take to print the master key: somebody may have to enter a PIN.
const keyCommandTimeout = time.Minute

// outputOf returns what a command prints. What it says on standard error reaches the operator; what it prints is in no
// error.
func outputOf(flag, command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), keyCommandTimeout)
	defer cancel()
	shell := []string{"/bin/sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	p := exec.CommandContext(ctx, shell[0], shell[1], command)
	p.Stdin, p.Stderr = os.Stdin, os.Stderr
	p.WaitDelay = time.Second // a grandchild may hold the output open
	out, err := p.Output()
	if ctx.Err() != nil {
		return "", fmt.Errorf("%s: it took longer than %s", flag, keyCommandTimeout)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	if strings.TrimSpace(string(out)) == "" {
		return "", errors.New(flag + ": it printed nothing")
	}
	return string(out), nil
}

// ownKeyName is the name of a demo's master key, which lies in its data folder.
const ownKeyName = "master.key"

// ownMasterKey creates a master key for a demo in its data folder, readable only by the current user.
func (c *config) ownMasterKey() error {
	if c.masterKeyFile != "" || c.masterKeyCommand != "" {
		return nil
	}
	c.masterKeyFile = filepath.Join(c.data, ownKeyName)
	if err := os.MkdirAll(c.data, 0o700); err != nil {
		return err
	}
	err := initMasterKey(c.masterKeyFile)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}
