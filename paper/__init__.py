"""The paper that proposed F*_wo: its experiments and figures reproduced, its theory checked."""
