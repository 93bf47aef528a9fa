package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/keys"
)

func newKey(io streams) *cobra.Command {
	return group("key", "Make and replace the master key; list and rotate a tenant's keys",
		"The master key is the one secret outside the database. It seals each tenant's keys: one signs the audit log's\n"+
			"checkpoints (log), one signs evidence packs (sign).",
		newKeyInit(io), newKeyList(io), newKeyRotate(io), newKeyRotateMaster(io))
}

func newKeyInit(io streams) *cobra.Command {
	return &cobra.Command{
		Use: "init FILE", Short: "Make a master key in a new file", Args: cobra.ExactArgs(1),
		Long: "init writes 32 random bytes as base64 to a new file that only its owner may read. An existing file\n" +
			"is left alone.",
		RunE: func(_ *cobra.Command, args []string) error {
			err := initMasterKey(args[0])
			if errors.Is(err, os.ErrExist) {
				err = fmt.Errorf("%s already exists and was not changed: the secrets sealed with it would be lost",
					args[0])
			}
			if err == nil {
				fmt.Fprintf(io.out, "%s\nKeep a copy apart from the database and its backups.\n", args[0])
			}
			return asFailure(err)
		},
	}
}

// initMasterKey creates a file with a new master key.
func initMasterKey(name string) (err error) {
	text, err := keys.Generate(rand.Reader)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the folder of %s does not exist; make it for the user that the server runs as: mkdir -m 0700 %s",
			name, filepath.Dir(name))
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		_ = os.Remove(name) // leave no partial key; the first error is the one to report
	}
	return err
}

func newKeyList(io streams) *cobra.Command {
	var c config
	var withPEM bool
	cmd := &cobra.Command{
		Use: "list", Short: "List a tenant's keys: fingerprint, purpose, made, retired", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				all, err := store.Keys(cmd.Context(), tenant.ID)
				for _, k := range all {
					if err := printKey(io, k, withPEM); err != nil {
						return err
					}
				}
				return err
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().BoolVar(&withPEM, "pem", false, "print each public key too, as openssl and cosign read it")
	return cmd
}

func printKey(io streams, k audit.PublicKey, withPEM bool) error {
	state := "in use"
	if !k.RetiredAt.IsZero() {
		state = "retired " + k.RetiredAt.Format(time.RFC3339)
	}
	fmt.Fprintf(io.out, "%s\t%s\tmade %s\t%s\n", k.ID, k.Purpose, k.CreatedAt.Format(time.RFC3339), state)
	if !withPEM {
		return nil
	}
	text, err := keys.PEM(k.Public)
	fmt.Fprint(io.out, text)
	return err
}

func newKeyRotate(io streams) *cobra.Command {
	var c config
	var purpose string
	cmd := &cobra.Command{
		Use: "rotate", Short: "Retire a tenant's key and make a new one", Args: cobra.NoArgs,
		Long: "rotate makes a new key and logs it. What the old one signed stays verifiable with the old one's public key.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				k, err := store.RotateKey(cmd.Context(), access.AtCommandLine(tenant.ID), purpose)
				if err != nil {
					return err
				}
				return printKey(io, k, false)
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().StringVar(&purpose, "purpose", "", "log or sign (required)")
	_ = cmd.MarkFlagRequired("purpose") // fails only for a flag that does not exist
	return cmd
}
