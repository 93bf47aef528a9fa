package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sanad/internal/keys"
)

// masterKeyVariable holds the master key itself if there is no key file.
const masterKeyVariable = "SANAD_MASTER_KEY"

// keyFlags adds the flags for the master key and for the checkpoints of the audit logs.
func (c *config) keyFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.masterKeyFile, "master-key-file", "",
		"file with the master key (default: the key in "+masterKeyVariable+"); sanad key init makes one")
	cmd.Flags().StringVar(&c.checkpoints, "checkpoints", "",
		"folder for the audit logs' newest checkpoints, best on another disk than --data (default: DATA-checkpoints)")
}

var errNoMasterKey = errors.New("there is no master key; create one with: sanad key init FILE, " +
	"then give --master-key-file FILE or set " + masterKeyVariable + ". " +
	"Keep it apart from the database and its backups: " +
	"without it signing keys and one-time codes are lost")

// box returns the box of the master key, read from the file if one is given, and otherwise from the environment.
func (c *config) box() (*keys.Box, error) {
	text, from := os.Getenv(masterKeyVariable), masterKeyVariable
	if c.masterKeyFile != "" {
		data, err := os.ReadFile(c.masterKeyFile)
		if err != nil {
			return nil, fmt.Errorf("--master-key-file: %w; sanad key init %s creates it", err, c.masterKeyFile)
		}
		text, from = string(data), c.masterKeyFile
	}
	if text == "" {
		return nil, errNoMasterKey
	}
	key, err := keys.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; sanad key init FILE creates one", from, err)
	}
	return keys.New(key)
}

// ownMasterKey creates a master key for a demo in its data folder, readable only by the current user.
func (c *config) ownMasterKey() error {
	if c.masterKeyFile != "" {
		return nil
	}
	c.masterKeyFile = filepath.Join(c.data, "master.key")
	if err := os.MkdirAll(c.data, 0o700); err != nil {
		return err
	}
	err := initMasterKey(c.masterKeyFile)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}
