package ui

// FileField is a field for files, which also takes what is dropped on it.
type FileField struct {
	ID, Name, Label, Accept, Help, Fault string
	Multiple, Required                   bool
}

func (f FileField) describedBy() string {
	return TextField{ID: f.ID, Fault: f.Fault, Help: f.Help}.describedBy()
}

func (c *Chrome) chooseFiles(many bool) string {
	if many {
		return c.T("files_choose")
	}
	return c.T("file_choose")
}
