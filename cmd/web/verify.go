package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/packfiles"
)

// verifyConfig holds the arguments of sanad verify: the file, its envelope, and what the reader knows of the signer.
type verifyConfig struct {
	dsse, key, fingerprint string
	json                   bool
}

func newVerify(io streams) *cobra.Command {
	var c verifyConfig
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check an evidence pack: its zip or folder, pack.json, pack.pdf, a proof or a redacted copy",
		Args:  cobra.ExactArgs(1),
		Long: "verify checks an evidence pack with nothing but its files: no server, no database, no key of ours.\n" +
			"It names each check as ok, failed or not checked. Exit code 1 unless all that could be checked holds\n" +
			"and nothing needed is missing.\n\n" +
			"Only --key or --fingerprint establishes who signed. Get it from the organisation by a way other than\n" +
			"the pack itself: without it, the best verdict is \"consistent, signer not established\".",
		RunE: func(_ *cobra.Command, args []string) error { return verifyFile(args[0], c, io) },
	}
	cmd.Flags().StringVar(&c.dsse, "dsse", "",
		"the signed envelope, pack.dsse.json; for pack.json and pack.pdf, which don't hold it")
	cmd.Flags().StringVar(&c.key, "key", "", "public key of the organisation that you trust, in PEM")
	cmd.Flags().StringVar(&c.fingerprint, "fingerprint", "", "fingerprint of the organisation's public key, SHA256:…")
	cmd.Flags().BoolVar(&c.json, "json", false, "print the report as JSON")
	return cmd
}

func verifyFile(name string, c verifyConfig, io streams) error {
	trust, err := c.trust()
	if err != nil {
		return err
	}
	file, err := readPack(name)
	if err != nil {
		return failure{fmt.Errorf("%s: %s", name, explain(err))}
	}
	if c.dsse != "" {
		if file.Data != nil {
			return fmt.Errorf("--dsse is for a pack; a %s holds its own envelope", file.Kind)
		}
		if file.Files.Envelope, err = readLimited(c.dsse); err != nil {
			return failure{err}
		}
	}
	report := verifyPack(file, trust)
	if err := report.print(io.out, c.json); err != nil {
		return failure{err}
	}
	if !report.OK() {
		return errFailed
	}
	return nil
}

// readPack reads a file, or a folder into which a zip was unpacked.
func readPack(name string) (*packfiles.File, error) {
	if about, err := os.Stat(name); err == nil && about.IsDir() {
		entries, err := os.ReadDir(name)
		if err != nil {
			return nil, err
		}
		names := make([]string, len(entries))
		for i, e := range entries {
			names[i] = e.Name()
		}
		return packfiles.ReadFolder(names, func(file string) ([]byte, error) {
			return readLimited(filepath.Join(name, file))
		})
	}
	data, err := readLimited(name)
	if err != nil {
		return nil, err
	}
	return packfiles.Read(data)
}

// trust returns what the reader knows of the signer.
func (c verifyConfig) trust() (pack.Trust, error) {
	t := pack.Trust{Fingerprint: c.fingerprint}
	if c.fingerprint != "" && !pack.CheckFingerprint(c.fingerprint) {
		return t, fmt.Errorf("--fingerprint: %q is not SHA256: followed by 43 characters of base64", c.fingerprint)
	}
	if c.key == "" {
		return t, nil
	}
	text, err := readLimited(c.key)
	if err != nil {
		return t, failure{err}
	}
	if t.Key, err = pack.ParsePublic(text); err != nil {
		return t, failure{fmt.Errorf("%s: %s", c.key, explain(err))}
	}
	return t, nil
}

// readLimited reads a file, up to the size limit.
func readLimited(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	data, err := io.ReadAll(io.LimitReader(f, packfiles.MaxFile+1))
	if err == nil && len(data) > packfiles.MaxFile {
		err = domain.Refuse(domain.TooLarge, name, "refused_file_more_mib", "N", packfiles.MaxFile>>20)
	}
	return data, err
}
