package pack

// PromptRecord names a prompt template that was used (rule P-1).
type PromptRecord struct {
	TemplateName    string `json:"template_name"`
	TemplateVersion string `json:"template_version"`
	RenderedHash    string `json:"rendered_hash,omitempty"` // SHA-256 of the prompt as it was sent
}

func (p *PromptRecord) check(f *faults, path string) {
	f.need(path+".template_name", p.TemplateName, MaxName)
	f.short(path+".template_version", p.TemplateVersion, MaxID)
	f.hash(path+".rendered_hash", p.RenderedHash)
}

func (p PromptRecord) promote() PromptRecord {
	p.RenderedHash = prefixed(p.RenderedHash)
	return p
}
