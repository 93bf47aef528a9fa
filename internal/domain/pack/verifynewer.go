package pack

// newer is the reason why checks of a pack from a newer version are skipped.
const newer = "made by a newer version"

// madeLater reports whether the pack or its signed statement is of a newer version than this program reads.
func (v *verification) madeLater() bool { return v.newerPack || v.newerSaid != nil }

// filesAlone makes the checks that are possible for a pack whose contents cannot be read: that the trusted key has
// signed a statement whose subjects are exactly these files. Anybody can write a version number, so without that
// signature the pack is refused like one of unknown format.
func (v *verification) filesAlone(trust Trust) {
	v.content = nil
	for _, name := range Checks {
		v.lacks(name, newer)
	}
	signed := v.found[CheckSignature].Status == OK && (trust.Key != nil || trust.Fingerprint != "")
	if !signed {
		err := malformed("refused_made_newer_version_key", ErrNewer)
		if v.newerPack {
			v.note(CheckForm, err, "")
		}
		if v.unsigned = v.found[CheckSignature].Status != Failed; v.unsigned {
			v.note(CheckSignature, err, "")
		}
		return
	}
	said := v.said
	if said == nil {
		said = v.newerSaid
	}
	if err := same(Digest(v.files.Pack), said.SHA256(FileJSON)); err != nil {
		v.note(CheckDigest, err, "")
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{FileMarkdown, v.files.Markdown}, {FilePDF, v.files.PDF}} {
		if f.data != nil && Digest(f.data) != said.SHA256(f.name) {
			v.note(CheckRendered, malformed("refused_not_signed_file", nil, "Name", f.name), "")
		}
	}
}

// readSubjects reads the part of a newer statement that all versions have in common: it is an in-toto Statement v1 that
// names its subjects (docs/compatibility.md). The payload is canonical JSON.
func readSubjects(payload []byte) (*Statement, error) {
	tree, err := treeFrom(payload)
	if err != nil {
		return nil, err
	}
	shape, _ := fields.Statement.(map[string]any)
	if tree["_type"] != StatementType || !fits(shape["subject"], tree["subject"]) {
		return nil, malformed("refused_statement_about_evidence", nil)
	}
	s := &Statement{Type: StatementType}
	for _, x := range items(tree["subject"]) {
		name, _ := x["name"].(string)
		digest, _ := x["digest"].(map[string]any)
		sum, _ := digest["sha256"].(string)
		s.Subject = append(s.Subject, NewSubject(name, sum))
	}
	return s, nil
}
