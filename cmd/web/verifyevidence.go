package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/domain/evidence"
)

func newVerifyEvidence(io streams) *cobra.Command {
	root := ""
	cmd := &cobra.Command{
		Use: "verify-evidence PROOF", Short: "Check a proof that a passage is in an evidence map, without a network",
		Args: cobra.ExactArgs(1),
		Long: "verify-evidence checks that a proof (JSON with evidence_id, index, size and hashes, as in the answer of\n" +
			"POST /api/v1/evidence-maps) leads to the root of a map. Get the root by a way other than the proof, such\n" +
			"as evidence_map_root of a signed pack. Exit code 1 if the proof does not lead there.",
		RunE: func(_ *cobra.Command, args []string) error {
			if root == "" {
				return errors.New("--root is missing: without the root of the map a proof proves nothing")
			}
			data, err := readLimited(args[0])
			if err != nil {
				return failure{err}
			}
			decode := json.NewDecoder(bytes.NewReader(data))
			decode.DisallowUnknownFields()
			var p evidence.Proof
			if err := decode.Decode(&p); err != nil {
				return failure{fmt.Errorf("%s: %s", args[0], explain(err))}
			}
			if err := p.Verify(root); err != nil {
				return failure{fmt.Errorf("%s: %s", p.EvidenceID, explain(err))}
			}
			fmt.Fprintf(io.out, "ok: %s is in the map of %d with this root\n", p.EvidenceID, p.Size)
			return nil
		},
	}
	cmd.Flags().StringVar(&root, "root", "", "root of the evidence map, in hex (required)")
	return cmd
}
