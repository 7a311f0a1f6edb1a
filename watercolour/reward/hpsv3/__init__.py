"""HPSv3, a model of what people prefer, scores paintings in the process that trains the policy.

Ma et al., "HPSv3: Towards Wide-Spectrum Human Preference Score" (ICCV 2025). The weights and the two texts of the
prompt are the authors'; the code that loads and runs them is ours, since theirs needs another transformers.
"""

from watercolour.reward.hpsv3.term import Hpsv3Term

__all__ = ["Hpsv3Term"]
