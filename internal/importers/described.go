package importers

// SessionFile is an empty sanad.session/v1: what the description of the API is made of.
func SessionFile() any { return sessionFile{} }

// DecisionFile is an empty sanad.decision/v1, for the same.
func DecisionFile() any { return decisionFile{} }
