// Throws an error that throws when it is looked at.
throw { get message() { throw this; }, get stack() { for (const x of 5); } };
