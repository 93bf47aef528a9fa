package importers

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/text"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// exported builds a session from an exported ledger. Its content equals the exported session's; the file's judgement
// and reviews stand beside the claims as imported, and its claims are unjudged (rule L-32). The digest is that of the
// content as the file has it, so that the same ledger is imported once.
func (b *builder) exported(f *ledgerFile) (*Result, error) {
	if err := b.checkUnknown(); err != nil {
		return nil, err
	}
	w := &f.Sanad
	b.part = "sanad."
	if w.Format != LedgerFormat {
		return nil, unsupported("sanad.format", words.Msg("refused_in_says_not",
			"Name", words.Quoted(strictjson.Clip(w.Format)), "Field", LedgerFormat))
	}
	if err := within("sanad", b.restore(w)); err != nil {
		return nil, err
	}
	if err := b.compare(f.Entries); err != nil {
		return nil, err
	}
	r := b.result(LedgerFormat)
	r.Session.SetImported()
	return r, nil
}

// within prefixes the path of an error with the part of the file it came from.
func within(part string, err error) error {
	return moved(err, func(path string) string { return part + "." + path })
}

// restore reads the "sanad" part; paths of errors are relative to it.
func (b *builder) restore(w *sanadWire) error {
	if err := b.head(&w.Session.sessionWire); err != nil {
		return err
	}
	b.s.Format, b.s.Mode = w.ReadFormat, w.Session.Mode
	if b.s.AnswerVersion = w.Session.AnswerVersion; b.s.AnswerVersion < 0 {
		return domain.Refuse(domain.Invalid, "session.answer_version", "refused_ledger_version",
			"N", b.s.AnswerVersion)
	}
	if err := b.ruleSet(w.RuleSet); err != nil {
		return err
	}
	if err := b.restoreExtra(w.Extra); err != nil {
		return err
	}
	if err := b.restoreDocuments(w.Documents); err != nil {
		return err
	}
	b.restoreImports(w.Imports)
	if err := b.restoreClaims(w.Claims); err != nil {
		return err
	}
	b.s.Run = ledger.Run{Judge: w.Run.Judge, Version: w.Run.Version, InputDigest: w.Run.InputDigest,
		BundleID: w.Run.BundleID, At: w.Run.At.UTC()}
	if len(w.Run.Parameters) > 0 {
		b.s.Run.Parameters = w.Run.Parameters
	}
	return nil
}

// ruleSet sets the rule set that the ledger was assessed by: its figures are compared with those of that rule set, even
// if newer ones give others.
func (b *builder) ruleSet(stated *int) error {
	b.s.RuleSet = ledger.FirstRuleSet
	if stated != nil {
		b.s.RuleSet = *stated
	}
	switch {
	case b.s.RuleSet < ledger.FirstRuleSet:
		return domain.Refuse(domain.Invalid, "rule_set", "refused_ledger_rules", "N", b.s.RuleSet,
			"Most", ledger.FirstRuleSet)
	case !ledger.KnownRuleSet(b.s.RuleSet):
		return &domain.Error{Kind: domain.Unsupported, Op: "importers.Read", Path: "rule_set",
			Message: words.Msg("refused_ledger_rules_newer", "N", b.s.RuleSet, "Most", ledger.CurrentRuleSet())}
	}
	return nil
}

// restoreExtra restores unknown fields that the session had kept at export, in addition to unknown fields of
// the file itself.
func (b *builder) restoreExtra(kept map[string]json.RawMessage) error {
	if len(kept) == 0 {
		return nil
	}
	all := maps.Clone(kept)
	maps.Copy(all, b.s.Extra)
	b.s.Extra = all
	n := 0
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if n += len(path) + len(all[path]); n > b.opt.UnknownBytes {
			return domain.Refuse(domain.TooLarge, strictjson.Path("extra", path), "json_unknown",
				"N", b.opt.UnknownBytes)
		}
	}
	return nil
}

func (b *builder) restoreDocuments(list []ledgerDocument) error {
	plain := make([]documentWire, len(list))
	for i := range list {
		plain[i] = list[i].documentWire
	}
	if err := b.documents(plain); err != nil {
		return err
	}
	for i := range list {
		d, w := &b.s.Documents[i], &list[i]
		d.Filename, d.MediaType, d.TextBy, d.Withdrawn = text.CleanName(w.Filename), w.MediaType, w.TextBy, w.Withdrawn
		d.BundleID = w.BundleID
		if err := b.restoreOrigin(at("documents", i, "origin"), w.Origin, d); err != nil {
			return err
		}
		switch w.Status {
		case ledger.Ready, ledger.Deleted, ledger.Erased:
			d.Status = w.Status
		default:
			return domain.Refuse(domain.Invalid, at("documents", i, "status"), "refused_document_status",
				"Name", words.Quoted(strictjson.Clip(string(w.Status))))
		}
		if w.Root != d.Root {
			return domain.Refuse(domain.Invalid, at("documents", i, "root"), "refused_ledger_root", "Words", d.Root)
		}
	}
	return nil
}

// restoreOrigin keeps what the file says of the library that a document was taken from. That is no link to ours.
func (b *builder) restoreOrigin(path string, w *originWire, d *ledger.Document) error {
	if w == nil {
		return nil
	}
	if w.Version < 1 || w.Version > library.MaxVersions {
		return domain.Refuse(domain.Invalid, path+".version", "refused_whole_number", "N", library.MaxVersions)
	}
	d.Origin = &library.Origin{Library: w.Library, Version: w.Version, Name: b.clean(path+".name", w.Name)}
	return nil
}

func (b *builder) restoreClaims(list []ledgerClaim) error {
	keys, err := claimKeys(len(list), func(i int) string { return list[i].ID })
	if err != nil {
		return err
	}
	if len(list) > 0 {
		b.s.Claims = make([]ledger.Claim, len(list))
	}
	answer := text.Len(b.s.Answer)
	for i := range list {
		w, path := &list[i], at("claims", i, "")
		c, err := b.claim(path, &w.claimWire, answer)
		if err != nil {
			return err
		}
		c.Key, c.Position, c.Judge, c.Given, c.Unjudged = keys[i], i, w.Judge, w.Given, w.Unjudged
		if err := b.restoreClaim(path, w, c, answer); err != nil {
			return err
		}
		b.s.Claims[i] = *c
	}
	return nil
}

// compare recomputes the ledger by the file's rule set and compares it with the file, so that a changed
// verdict is noticed.
func (b *builder) compare(entries []entryWire) error {
	whole := ledger.Assess(&b.s, ledger.DefaultFreshness)
	l := whole.Findings()
	if len(entries) != len(l.Entries) {
		return domain.Refuse(domain.Invalid, "entries", "refused_ledger_entries", "N", len(entries),
			"Claims", len(l.Entries))
	}
	for i := range entries {
		stated, e := &entries[i], &l.Entries[i]
		switch {
		case stated.ClaimID != e.Claim.Key:
			return domain.Refuse(domain.Invalid, at("entries", i, "claim_id"), "refused_ledger_differs",
				"Name", words.Quoted(strictjson.Clip(stated.ClaimID)),
				"Field", words.Quoted(strictjson.Clip(e.Claim.Key)))
		case stated.Verdict != e.Verdict:
			return disagrees(i, "verdict", verdictName(stated.Verdict), verdictName(e.Verdict))
		case math.Abs(stated.Confidence-e.Confidence) > 1e-9:
			return disagrees(i, "confidence_score", fmt.Sprint(stated.Confidence), fmt.Sprint(e.Confidence))
		}
	}
	return nil
}

func disagrees(i int, field, stated, computed string) error {
	return domain.Refuse(domain.Invalid, at("entries", i, field), "refused_ledger_computed", "Name", stated,
		"Words", computed)
}

func verdictName(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return "null (unjudged)"
	}
	return strictjson.Clip(string(v))
}
